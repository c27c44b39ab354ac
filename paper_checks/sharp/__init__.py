"""What this project adds to the documents: bounds by one inequality, arm by arm (docs/arm-by-arm.md)."""
