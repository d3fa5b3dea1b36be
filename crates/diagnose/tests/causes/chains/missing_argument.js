// origin: 6 | undefined
function format(user, options) {
  return options.upper ? user.toUpperCase() : user;
}

console.log(format("ann"));
