"""Section V: privacy of a mechanism that is run on blocks of the data (Lemma 1); AdaC-GOPE's privacy and regret.

The first phase of AdaC-GOPE on the standard basis plays all of its actions whatever the rewards are, d - 1 of d at a
gap of 1, so that its regret is certain: it is what Theorem 4 fails on.
"""
