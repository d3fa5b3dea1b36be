// origin: 2 |
function grade(points) {
  if (points > 90) return { letter: "A" };
  if (points > 50) return { letter: "B" };
}

for (const points of [95, 60, 30]) {
  console.log(grade(points).letter);
}
