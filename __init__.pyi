from banditproof import algorithms as algorithms
from banditproof import claims as claims
from banditproof import theory as theory
from banditproof import verify as verify
from banditproof.verify.judge.door import judge as judge

__version__: str
