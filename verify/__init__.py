"""What checks: provers, privacy of policies (recorded runs, exact laws, audits), statistical tests, evidence.

The public names are those of the stub beside this file. They are loaded when they are first used, so that importing
this package is cheap.
"""

from banditproof.theory.face import face

__getattr__, __dir__, __all__ = face(__name__)
