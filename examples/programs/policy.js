// A private bandit policy in JavaScript. It asks for its draws, so that they can be recorded and replayed.
// banditproof audit --program "node policy.js" --epsilon 1
"use strict";
const input = require("readline").createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function read() {
  const { value, done } = await input.next();
  if (done) process.exit(0);
  return JSON.parse(value);
}

function write(answer) {
  console.log(JSON.stringify(answer));
}

// A draw around a location: what comes back is the noisy number itself. `line` is told in messages.
async function laplace(location, scale, line) {
  write({ draw: "laplace", location, scale, line });
  return (await read()).value;
}

const EPSILON = Number(process.argv[2] || 1);
const BATCH = 4;

async function main() {
  let arm, sum, count, means;
  for (;;) {
    const line = await read();
    if ("reset" in line) {
      [arm, sum, count, means] = [0, 0, 0, Array(line.arms).fill(9)];
    } else {
      sum += line.reward;
      count += 1;
      if (count === BATCH) {
        means[arm] = (await laplace(sum, 1 / EPSILON, 35)) / BATCH;
        arm = means.indexOf(Math.max(...means));
        sum = count = 0;
      }
    }
    write({ arm });
  }
}

main();
