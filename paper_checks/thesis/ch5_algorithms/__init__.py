"""Chapter 5: private algorithms."""
