// expect: TypeError | 4 | null
async function load() {
  const answer = undefined;
  return answer.body;
}
load();
