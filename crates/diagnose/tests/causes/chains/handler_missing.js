// origin: 2 | {start:
const handlers = { start: () => "started", stop: () => "stopped" };

function dispatch(command) {
  return handlers[command]();
}

console.log(dispatch("start"));
console.log(dispatch("pause"));
