"""``python -m banditproof.cli``."""

from banditproof.cli import main

if __name__ == "__main__":
    main()
