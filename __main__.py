"""``python -m banditproof``."""

from banditproof.cli import main

if __name__ == "__main__":
    main()
