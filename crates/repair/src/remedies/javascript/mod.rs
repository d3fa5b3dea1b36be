//! JavaScript and TypeScript: names, values of the wrong type, what cannot be read, modules.

mod names;
mod null;
mod syntax;
mod tokens;
mod types;

use super::remedy::Remedy;

/// Names of the language and its library.
const COMMON: &str = "console log length push pop shift unshift slice splice map filter reduce forEach indexOf includes \
    join split toUpperCase toLowerCase trim replace substring charAt concat sort reverse find findIndex some every keys \
    values entries Object Array Math JSON parse stringify parseInt parseFloat Number String Boolean Promise async await \
    function return const let var undefined null true false Map Set has get set add delete floor ceil round max min abs \
    sqrt pow random toString toFixed startsWith endsWith repeat padStart setTimeout require module exports process Error \
    isArray from fill flat";

pub(super) const FAMILIES: &[&[Remedy]] =
    &[names::REMEDIES, types::REMEDIES, null::REMEDIES, syntax::REMEDIES, tokens::REMEDIES];
