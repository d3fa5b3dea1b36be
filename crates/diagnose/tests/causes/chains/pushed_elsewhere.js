// origin: 5 | undefined
const queue = [];

function enqueue(job) {
  queue.push(job.task);
}

enqueue({ task: { run: () => 1 } });
enqueue({ name: "late" });
for (const task of queue) {
  console.log(task.run());
}
