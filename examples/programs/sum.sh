#!/bin/sh
# A mechanism: the sum of a column, on the input 0 or its neighbour 1, with noise that it asks for.
# banditproof audit --program "sh sum.sh" --epsilon 1
while read -r line; do
    neighbour=${line##*: }
    neighbour=${neighbour%\}}
    echo "{\"draw\": \"laplace\", \"location\": $((41 + neighbour)), \"scale\": ${1:-1}, \"line\": 7}"
    read -r answer
    number=${answer##*: }
    echo "{\"number\": ${number%\}}}"
done
