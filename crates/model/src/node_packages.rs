//! Where the packages of a JavaScript project stand inside a sandbox: an agreement between who shows them and who starts a
//! command there.

/// Where a project's packages are shown to a command of its own. Runtimes look there too, above the working directory.
pub const PACKAGES_AT: &str = "/node_modules";

/// Where programs of the project find them without a shell of ours: there links to the project's own directories lead to those.
pub const PACKAGES_IN_PLACE: &str = "/work/node_modules";

/// The words of a shell that bring those packages to where projects name them. Each is linked, so that the directory itself can
/// be written: vitest and vite keep a cache in it, and end badly without. What leads out of the packages leads to the project's
/// own directories (npm's workspaces, with or without a scope): such a link is made as it is, beside those directories.
pub const LINK_PACKAGES: &str = "[ -e node_modules ] || { mkdir node_modules && ln -s /node_modules/* /node_modules/.bin node_modules/; \
     find /node_modules -maxdepth 2 -type l ! -path '*/.bin/*' | while read -r p; do \
     [ -e \"$p\" ] || { r=${p#/}; d=${r%/*}; \
     [ ! -L \"$d\" ] || { rm \"$d\" && mkdir \"$d\" && ln -s \"/$d\"/* \"$d\"/; }; \
     rm -f \"$r\"; cp -P \"$p\" \"$r\"; }; done; } 2>/dev/null; ";
