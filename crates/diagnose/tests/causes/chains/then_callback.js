// origin: 4 | null
function fetchUser(id) {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), 1);
  });
}

fetchUser(7).then((user) => {
  console.log(user.name);
});
