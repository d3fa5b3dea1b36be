// origin: 2 | null
function greet(name, options = null) {
  return options.greeting + " " + name;
}

console.log(greet("ann"));
