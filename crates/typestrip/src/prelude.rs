//! The few lines that some files need before their own: what CommonJS gives for nothing, and what decorators call.

/// Names that CommonJS gives and a module lacks, each with how a module gets it.
const COMMONJS: [(&str, &str); 5] = [
    ("require", "require=$require"),
    ("__filename", "__filename=$file"),
    ("__dirname", "__dirname=$file.slice(0,$file.lastIndexOf(\"/\"))||\"/\""),
    ("module", "module=$module"),
    ("exports", "exports=$module.exports"),
];

/// TypeScript code often mixes `import` with `require`, `__dirname` or `require.main === module`. One line that gives a
/// module those of them that it uses without declaring; nothing where it uses none.
pub fn commonjs_names(uses: impl Fn(&str) -> bool) -> Option<String> {
    let used: Vec<&str> = COMMONJS.iter().filter(|(name, _)| uses(name)).map(|(_, gives)| *gives).collect();
    if used.is_empty() {
        return None;
    }
    let line = format!(
        "import{{createRequire as $create}}from\"node:module\";import{{fileURLToPath as $path}}from\"node:url\";\
         const $file=$path(import.meta.url),$module={{exports:{{}},filename:$file}},$require=$create($file);\
         if(process.argv[1]===$file)$require.main=$module;const {};",
        used.join(",")
    );
    Some(line.replace('$', "__formicary_"))
}

/// What the transformer calls for decorators: applied last to first; a method's may replace its descriptor.
pub const DECORATORS: &str = "const babelHelpers={decorate(list,target,key,given){\
    const many=arguments.length;\
    let result=many<3?target:given===null?Object.getOwnPropertyDescriptor(target,key):given;\
    for(let at=list.length-1;at>=0;at--){const f=list[at];\
    result=(many<3?f(result):many>3?f(target,key,result):f(target,key))||result}\
    if(many>3&&result)Object.defineProperty(target,key,result);return result},\
    decorateParam(index,f){return(target,key)=>f(target,key,index)},\
    decorateMetadata(key,value){if(typeof Reflect.metadata===\"function\")return Reflect.metadata(key,value)}};";
