//! Attempts to make a finding show a data value by mistake.
//!
//! `secrets.rs` covers each code. This file covers places: operators and methods of the language,
//! flags and variables, values files, overlays, libraries, projects, tests, scripts and virtual
//! machines.

use plumb_testkit::console::words;

use crate::sandbox::Sandbox;
use crate::secrets::{SAME_LENGTH, reports};

/// Templates that fail. `data.values.x` is the secret.
const TEMPLATES: &[(&str, &str)] = &[
    ("f-string as a number", "a: #@ int(f\"{data.values.x}\")\n"),
    ("f-string as a key", "a: #@ {}[f\"k-{data.values.x}\"]\n"),
    ("f-string as an attribute", "a: #@ getattr(data, f\"{data.values.x}\")\n"),
    ("f-string in an f-string", "a: #@ int(f\"{f'{data.values.x}'}\")\n"),
    ("expression of an f-string", "a: #@ f\"{int(data.values.x)}\"\n"),
    ("f-string as a pattern", "a: #@ regexp.match(f\"[{data.values.x}\", \"\")\n"),
    ("bytes and text", "a: #@ bytes(data.values.x) + data.values.x\n"),
    ("bytes as a key", "a: #@ {}[bytes(data.values.x)]\n"),
    ("bytes as a number", "a: #@ int(bytes(data.values.x))\n"),
    ("bytes in a document", "a: #@ bytes(data.values.x)\n"),
    ("an element of bytes", "a: #@ bytes([hash(data.values.x)])\n"),
    ("bytes that are decoded", "a: #@ json.decode(str(bytes(data.values.x)))\n"),
    ("key in dict as data key", "a: #@ {data.values.x: 1}.nosuch\n"),
    (
        "fragment key",
        "#@ def f():\n#@yaml/text-templated-strings\n(@= data.values.x @): 1\n#@ end\na: #@ f().nosuch\n",
    ),
    (
        "overlay subset",
        "a: SECRET\n#@overlay/match by=overlay.subset({'a': data.values.x+'z'})\n---\na: 1\n",
    ),
    (
        "overlay match by name",
        "a: [{name: q}]\n#@overlay/match by=overlay.all\n---\na:\n#@overlay/match by='name'\n- name: #@ data.values.x\n",
    ),
    (
        "overlay index",
        "a: [1]\n#@overlay/match by=overlay.all\n---\na:\n#@overlay/match by=overlay.index(len(data.values.x))\n- 2\n",
    ),
    (
        "overlay expects",
        "a: [1]\n#@overlay/match by=overlay.all, expects=data.values.x\n---\na: 1\n",
    ),
    ("overlay match bad by", "a: [1]\n#@overlay/match by=data.values.x\n---\na: 1\n"),
    (
        "overlay assert via",
        "a: q\n#@overlay/match by=overlay.all\n---\n#@overlay/assert via=lambda l,r: (False, 'no')\na: #@ data.values.x\n",
    ),
    (
        "overlay replace via str",
        "a: q\n#@overlay/match by=overlay.all\n---\n#@overlay/replace via=lambda l,r: l + 1\na: #@ data.values.x\n",
    ),
    ("assert fail literal", "a: #@ assert.fail('no')\nb: #@ data.values.x\n"),
    ("library get", "a: #@ library.get(data.values.x)\n"),
    ("library values", "a: #@ library.get('l').with_data_values({'x': data.values.x}).eval()\n"),
    ("load computed", "a: #@ data.read(data.values.x)\n"),
    ("data.list", "a: #@ data.list(data.values.x)\n"),
    ("struct attr", "a: #@ struct.make(**{data.values.x: 1}).zz\n"),
    ("unhashable", "a: #@ {[data.values.x]: 1}\n"),
    ("str plus int", "a: #@ data.values.x + 1\n"),
    ("call str", "a: #@ data.values.x()\n"),
    ("index str", "a: #@ data.values.x['a']\n"),
    ("attr of str", "a: #@ data.values.x.nosuch\n"),
    ("getattr secret", "a: #@ getattr({}, data.values.x)\n"),
    (
        "fail in rule",
        "#@assert/validate ('short', lambda v: (False, 'why'))\na: #@ data.values.x\n",
    ),
    ("not rule arg", "#@assert/validate min_len=data.values.x\na: 1\n"),
    ("sorted mixed", "a: #@ sorted([data.values.x, 1])\n"),
    ("min", "a: #@ min(data.values.x, 1)\n"),
    ("doc end", "--- #@ data.values.x\na: 1\n--- #@ fail('x')\n"),
    ("template.replace", "_: #@ template.replace(data.values.x)\n"),
    ("yaml decode multi", "a: #@ yaml.decode('a: 1\\n---\\n' + data.values.x + ': [')\n"),
    ("json decode bad", "a: #@ json.decode('{\"' + data.values.x + '\": }')\n"),
    ("unpack", "#@ a, b = data.values.x\nz: 1\n"),
    ("range", "a: #@ range(data.values.x)\n"),
    ("chr", "a: #@ 'x' * data.values.x\n"),
    ("replace dict", "a: #@ dict([data.values.x])\n"),
    ("dict kw", "a: #@ dict([(data.values.x,1)], **{data.values.x: 2}).pop('zz')\n"),
    ("pop", "a: #@ {data.values.x: 1}.pop(data.values.x + 'b')\n"),
    ("list index", "a: #@ ['a'].index(data.values.x)\n"),
    ("remove", "a: #@ ['a'].remove(data.values.x)\n"),
    ("set remove", "a: #@ set(['a']).remove(data.values.x)\n"),
    ("int16", "a: #@ int(data.values.x, 16)\n"),
    ("int base", "a: #@ int('1', data.values.x)\n"),
];

/// The name and the text of a file.
type File = (&'static str, &'static str);

/// Command lines that fail, with their files.
const RUNS: &[(&str, &str, &[File])] = &[
    (
        "flag yaml",
        "-f schema.yml --data-value-yaml x=[SECRET",
        &[("schema.yml", "#@data/values-schema\n---\nx: \"\"\n")],
    ),
    (
        "flag yaml alias",
        "-f schema.yml --data-value-yaml x=*SECRET",
        &[("schema.yml", "#@data/values-schema\n---\nx: \"\"\n")],
    ),
    (
        "flag no eq",
        "-f schema.yml --data-value SECRET",
        &[("schema.yml", "#@data/values-schema\n---\nx: \"\"\n")],
    ),
    (
        "values file array",
        "-f schema.yml --data-values-file v.yml",
        &[("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"), ("v.yml", "- SECRET\n")],
    ),
    (
        "values file scalar",
        "-f schema.yml --data-values-file v.yml",
        &[("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"), ("v.yml", "SECRET\n")],
    ),
    (
        "values file anchors",
        "-f schema.yml --data-values-file v.yml",
        &[
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            ("v.yml", "x: &SECRET 1\ny: *nosuch\n"),
        ],
    ),
    (
        "values file merge",
        "-f schema.yml --data-values-file v.yml",
        &[("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"), ("v.yml", "x: a\n<<: SECRET\n")],
    ),
    (
        "values file directive",
        "-f schema.yml --data-values-file v.yml",
        &[
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            ("v.yml", "%SECRET\n---\nx: a\n"),
        ],
    ),
    (
        "values file tabs",
        "-f schema.yml --data-values-file v.yml",
        &[("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"), ("v.yml", "x:\n\tSECRET\n")],
    ),
    (
        "values block",
        "-f schema.yml --data-values-file v.yml",
        &[("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"), ("v.yml", "x: |9\n SECRET\n")],
    ),
    (
        "values quote esc",
        "-f schema.yml --data-values-file v.yml",
        &[("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"), ("v.yml", "x: \"\\qSECRET\"\n")],
    ),
    (
        "values binary",
        "-f schema.yml --data-values-file v.yml",
        &[
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            ("v.yml", "x: !!binary \"SECRET!\"\n"),
        ],
    ),
    (
        "values timestamp",
        "-f schema.yml --data-values-file v.yml",
        &[
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            ("v.yml", "x: !!timestamp SECRET\n"),
        ],
    ),
    (
        "values int",
        "-f schema.yml --data-values-file v.yml",
        &[("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"), ("v.yml", "x: !!int SECRET\n")],
    ),
    (
        "json values",
        "-f schema.yml --data-values-file v.json",
        &[
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            ("v.json", "{\"x\": \"SECRET\" \"y\"}\n"),
        ],
    ),
    (
        "two same keys",
        "-f schema.yml --data-values-file v.yml",
        &[("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"), ("v.yml", "x: SECRET\nx: b\n")],
    ),
    (
        "inspect",
        "-f schema.yml --data-values-inspect --data-value-yaml x=1",
        &[("schema.yml", "#@data/values-schema\n---\nx: SECRET\n")],
    ),
    (
        "lib values",
        "-f . --data-value @l:x=SECRET",
        &[
            (
                "c.yml",
                "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:assert\",\"assert\")\n#@ load(\"@ytt:overlay\",\"overlay\")\n#@ load(\"@ytt:library\",\"library\")\n#@ load(\"@ytt:template\",\"template\")\n#@ load(\"@ytt:struct\",\"struct\")\n#@ load(\"@ytt:json\",\"json\")\n#@ load(\"@ytt:yaml\",\"yaml\")\n---\na: #@ library.get('l').eval()\n",
            ),
            ("_ytt_lib/l/schema.yml", "#@data/values-schema\n---\nx: 0\n"),
        ],
    ),
    (
        "lib unknown",
        "-f . --data-value @nosuch:x=SECRET",
        &[(
            "c.yml",
            "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:assert\",\"assert\")\n#@ load(\"@ytt:overlay\",\"overlay\")\n#@ load(\"@ytt:library\",\"library\")\n#@ load(\"@ytt:template\",\"template\")\n#@ load(\"@ytt:struct\",\"struct\")\n#@ load(\"@ytt:json\",\"json\")\n#@ load(\"@ytt:yaml\",\"yaml\")\n---\na: 1\n",
        )],
    ),
    (
        "lib fail",
        "-f . --data-value @l:x=SECRET",
        &[
            (
                "c.yml",
                "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:assert\",\"assert\")\n#@ load(\"@ytt:overlay\",\"overlay\")\n#@ load(\"@ytt:library\",\"library\")\n#@ load(\"@ytt:template\",\"template\")\n#@ load(\"@ytt:struct\",\"struct\")\n#@ load(\"@ytt:json\",\"json\")\n#@ load(\"@ytt:yaml\",\"yaml\")\n---\na: #@ library.get('l').eval()\n",
            ),
            ("_ytt_lib/l/schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            (
                "_ytt_lib/l/c.yml",
                "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:assert\",\"assert\")\n#@ load(\"@ytt:overlay\",\"overlay\")\n#@ load(\"@ytt:library\",\"library\")\n#@ load(\"@ytt:template\",\"template\")\n#@ load(\"@ytt:struct\",\"struct\")\n#@ load(\"@ytt:json\",\"json\")\n#@ load(\"@ytt:yaml\",\"yaml\")\n---\na: #@ int(data.values.x)\n",
            ),
        ],
    ),
    (
        "lib wdv bad",
        "-f . -v x=SECRET",
        &[
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            (
                "c.yml",
                "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:assert\",\"assert\")\n#@ load(\"@ytt:overlay\",\"overlay\")\n#@ load(\"@ytt:library\",\"library\")\n#@ load(\"@ytt:template\",\"template\")\n#@ load(\"@ytt:struct\",\"struct\")\n#@ load(\"@ytt:json\",\"json\")\n#@ load(\"@ytt:yaml\",\"yaml\")\n---\na: #@ library.get('l').with_data_values({'x': {'k': data.values.x}}).eval()\n",
            ),
            ("_ytt_lib/l/schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
        ],
    ),
    (
        "lib schema",
        "-f . -v x=SECRET",
        &[
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            (
                "c.yml",
                "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:assert\",\"assert\")\n#@ load(\"@ytt:overlay\",\"overlay\")\n#@ load(\"@ytt:library\",\"library\")\n#@ load(\"@ytt:template\",\"template\")\n#@ load(\"@ytt:struct\",\"struct\")\n#@ load(\"@ytt:json\",\"json\")\n#@ load(\"@ytt:yaml\",\"yaml\")\n---\na: #@ library.get('l').with_data_values_schema(data.values.x).eval()\n",
            ),
            ("_ytt_lib/l/schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
        ],
    ),
    (
        "lib export",
        "-f . -v x=SECRET",
        &[
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            (
                "c.yml",
                "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:assert\",\"assert\")\n#@ load(\"@ytt:overlay\",\"overlay\")\n#@ load(\"@ytt:library\",\"library\")\n#@ load(\"@ytt:template\",\"template\")\n#@ load(\"@ytt:struct\",\"struct\")\n#@ load(\"@ytt:json\",\"json\")\n#@ load(\"@ytt:yaml\",\"yaml\")\n---\na: #@ library.get('l').export(data.values.x)\n",
            ),
            ("_ytt_lib/l/schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
        ],
    ),
    (
        "schema alternatives",
        "-f schema.yml -v x=SECRET",
        &[("schema.yml", "#@data/values-schema\n---\n#@schema/any-of 1, True\nx: 1\n")],
    ),
    (
        "schema one-of rule",
        "-f schema.yml -v x=SECRET",
        &[(
            "schema.yml",
            "#@ def a():\n#@schema/validation max_len=1\n--- \"\"\n#@ end\n#@ def b():\n#@schema/validation one_of=['q']\n--- \"\"\n#@ end\n#@data/values-schema\n---\n#@schema/one-of a(), b()\nx: \"\"\n",
        )],
    ),
    (
        "schema default computed",
        "-f schema.yml",
        &[(
            "schema.yml",
            "#@ s = \"SEC\" + \"RET\"\n#@data/values-schema\n---\n#@schema/validation max_len=1\nx: SECRET\n",
        )],
    ),
    (
        "vm bad rule",
        "vm check vm.yml",
        &[(
            "vm.yml",
            "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: web, annotations: {vm.kubevirt.io/validations: '[{\"name\":\"r\",\"path\":\"jsonpath::.spec.x\",\"rule\":\"integer\",\"message\":\"m\",\"min\":5}]'}}\nspec: {x: SECRET, template: {spec: {domain: {devices: {}}}}}\n",
        )],
    ),
    (
        "vm enum",
        "vm check vm.yml",
        &[(
            "vm.yml",
            "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: web, annotations: {vm.kubevirt.io/validations: '[{\"name\":\"r\",\"path\":\"jsonpath::.spec.x\",\"rule\":\"enum\",\"message\":\"m\",\"values\":[\"a\"]}]'}}\nspec: {x: SECRET, template: {spec: {domain: {devices: {}}}}}\n",
        )],
    ),
    (
        "vm regex",
        "vm check vm.yml",
        &[(
            "vm.yml",
            "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: web, annotations: {vm.kubevirt.io/validations: '[{\"name\":\"r\",\"path\":\"jsonpath::.spec.x\",\"rule\":\"regex\",\"message\":\"m\",\"regex\":\"^q$\"}]'}}\nspec: {x: SECRET, template: {spec: {domain: {devices: {}}}}}\n",
        )],
    ),
    (
        "vm string",
        "vm check vm.yml -o json",
        &[(
            "vm.yml",
            "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: web, annotations: {vm.kubevirt.io/validations: '[{\"name\":\"r\",\"path\":\"jsonpath::.spec.x\",\"rule\":\"string\",\"message\":\"m\",\"maxLength\":2}]'}}\nspec: {x: SECRET, template: {spec: {domain: {devices: {}}}}}\n",
        )],
    ),
    ("vm bad yaml", "vm check vm.yml", &[("vm.yml", "kind: VirtualMachine\nspec: {x: [SECRET}\n")]),
    (
        "vm api type",
        "vm check vm.yml",
        &[(
            "vm.yml",
            "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\nspec: {running: SECRET, template: {spec: {domain: {cpu: {cores: SECRET}, memory: {guest: SECRET}, devices: {}}}}}\n",
        )],
    ),
    (
        "gen param number",
        "generate g.js -p n=SECRET --stdout",
        &[(
            "g.js",
            "import * as param from '@jkcfg/std/param'; export default [{path:'a.yaml',value:param.Number('n')}]",
        )],
    ),
    (
        "gen param file",
        "generate g.js -f p.yml --stdout",
        &[("g.js", "export default []"), ("p.yml", "a: [SECRET\n")],
    ),
    ("gen param obj", "generate g.js -p SECRET --stdout", &[("g.js", "export default []")]),
    (
        "gen throw str",
        "generate g.js -p n=SECRET --stdout",
        &[("g.js", "import * as param from '@jkcfg/std/param'; throw param.String('n')")],
    ),
    (
        "gen throw obj",
        "generate g.js -p n=SECRET --stdout",
        &[(
            "g.js",
            "import * as param from '@jkcfg/std/param'; throw {message: param.String('n'), stack: param.String('n'), name: param.String('n')}",
        )],
    ),
    (
        "gen throw typeerror",
        "generate g.js -p n=SECRET --stdout",
        &[("g.js", "import * as param from '@jkcfg/std/param'; null[param.String('n')]")],
    ),
    (
        "gen ref",
        "generate g.js -p n=SECRET --stdout",
        &[(
            "g.js",
            "import * as param from '@jkcfg/std/param'; const o={}; o[param.String('n')].x",
        )],
    ),
    (
        "gen notfn",
        "generate g.js -p n=SECRET --stdout",
        &[(
            "g.js",
            "import * as param from '@jkcfg/std/param'; const o={}; o[param.String('n')]()",
        )],
    ),
    (
        "gen json",
        "generate g.js -p n=SECRET --stdout",
        &[("g.js", "import * as param from '@jkcfg/std/param'; JSON.parse(param.String('n'))")],
    ),
    (
        "gen regex",
        "generate g.js -p n=SECRET --stdout",
        &[("g.js", "import * as param from '@jkcfg/std/param'; new RegExp('('+param.String('n'))")],
    ),
    (
        "gen bigint",
        "generate g.js -p n=SECRET --stdout",
        &[("g.js", "import * as param from '@jkcfg/std/param'; BigInt(param.String('n'))")],
    ),
    (
        "gen symbol value",
        "generate g.js -p n=SECRET --stdout",
        &[(
            "g.js",
            "import * as param from '@jkcfg/std/param'; export default [{path:'a.yaml',value:Symbol(param.String('n'))}]",
        )],
    ),
    (
        "gen parse",
        "generate g.js -p n=SECRET --stdout",
        &[(
            "g.js",
            "import * as param from '@jkcfg/std/param'; import * as std from '@jkcfg/std'; export default std.parse('['+param.String('n'), std.Format.YAML)",
        )],
    ),
    (
        "gen schema",
        "generate g.js -p n=SECRET --stdout --schema s.json",
        &[
            (
                "g.js",
                "import * as param from '@jkcfg/std/param'; export default [{path:'a.yaml',value:{a:param.String('n')}}]",
            ),
            (
                "s.json",
                "{\"properties\":{\"a\":{\"maxLength\":2,\"enum\":[\"q\"],\"const\":\"z\",\"pattern\":\"^q\",\"format\":\"date\",\"type\":\"integer\"}}}",
            ),
        ],
    ),
    (
        "gen reject",
        "generate g.js -p n=SECRET --stdout",
        &[(
            "g.js",
            "import * as param from '@jkcfg/std/param'; export default Promise.reject(param.String('n'))",
        )],
    ),
    (
        "gen aggregate",
        "generate g.js -p n=SECRET --stdout",
        &[(
            "g.js",
            "import * as param from '@jkcfg/std/param'; export default Promise.any([Promise.reject(param.String('n'))])",
        )],
    ),
    (
        "validate star",
        "validate a.yaml --validate r.star:f",
        &[("a.yaml", "a: SECRET\n"), ("r.star", "def f(v):\n  return int(v['a'])\nend\n")],
    ),
    (
        "validate data schema",
        "validate a.yaml --schema s.yml",
        &[("a.yaml", "x: [SECRET]\n"), ("s.yml", "#@data/values-schema\n---\nx: \"\"\n")],
    ),
    (
        "validate bad yaml",
        "validate a.yaml --schema s.yml",
        &[("a.yaml", "x: [SECRET\n"), ("s.yml", "#@data/values-schema\n---\nx: \"\"\n")],
    ),
    ("transform throw", "transform -c '(it)=>{throw it.a}' a.yaml", &[("a.yaml", "a: SECRET\n")]),
    (
        "proj wrong value",
        "build",
        &[("plumb.yml", "targets: {a: {file: config, data-value: {p: [SECRET]}}}\n")],
    ),
    (
        "proj wrong value2",
        "build",
        &[("plumb.yml", "targets:\n  a:\n    file: config\n    data-value: SECRET\n")],
    ),
    ("proj env", "build", &[("plumb.yml", "targets:\n  a:\n    file: config\n    env: SECRET\n")]),
    (
        "proj unknown key",
        "build",
        &[("plumb.yml", "targets:\n  a: {file: config, data-value: p=SECRET, nosuch: SECRET}\n")],
    ),
    (
        "proj switch",
        "build",
        &[(
            "plumb.yml",
            "targets:\n  a:\n    file: config\n    data-value: [p=SECRET]\n    strict: SECRET\n",
        )],
    ),
    (
        "proj limit",
        "build",
        &[(
            "plumb.yml",
            "targets:\n  a: {file: config, step-limit: SECRET, data-value: p=SECRET}\n",
        )],
    ),
    (
        "proj extends",
        "build",
        &[("plumb.yml", "targets:\n  a: {file: config, data-value: p=SECRET, extends: b}\n")],
    ),
    (
        "proj cycle",
        "build",
        &[(
            "plumb.yml",
            "targets:\n  a: {file: config, data-value: p=SECRET, extends: b}\n  b: {extends: a}\n",
        )],
    ),
    (
        "proj shared",
        "build",
        &[(
            "plumb.yml",
            "targets:\n  a: {file: config, data-value: p=SECRET, output-files: out}\n  b: {file: config, data-value: p=SECRET, output-files: out}\n",
        )],
    ),
    (
        "proj syntax",
        "build",
        &[("plumb.yml", "targets:\n  a: {file: config, data-value: p=SECRET\n")],
    ),
    (
        "proj build fail",
        "build",
        &[
            ("plumb.yml", "targets: {a: {file: [config], data-values-file: [values.yml]}}\n"),
            ("config/schema.yml", "#@data/values-schema\n---\np: \"\"\n"),
            ("config/c.yml", "#@ load('@ytt:data', 'data')\n---\np: #@ data.values.p\n"),
            ("values.yml", "q: SECRET\n"),
        ],
    ),
    (
        "proj data-value type",
        "build",
        &[
            ("plumb.yml", "targets: {a: {file: [config], data-value-yaml: 'p=[SECRET'}}\n"),
            ("config/schema.yml", "#@data/values-schema\n---\np: \"\"\n"),
            ("config/c.yml", "#@ load('@ytt:data', 'data')\n---\np: #@ data.values.p\n"),
            ("values.yml", "p: SECRET\n"),
        ],
    ),
    (
        "proj dv no eq",
        "build",
        &[
            ("plumb.yml", "targets: {a: {file: [config], data-value: SECRET}}\n"),
            ("config/schema.yml", "#@data/values-schema\n---\np: \"\"\n"),
            ("config/c.yml", "#@ load('@ytt:data', 'data')\n---\np: #@ data.values.p\n"),
            ("values.yml", "p: SECRET\n"),
        ],
    ),
    (
        "test set",
        "test",
        &[
            ("plumb.yml", "targets: {a: {file: [config], data-values-file: [values.yml]}}\n"),
            ("config/schema.yml", "#@data/values-schema\n---\np: \"\"\n"),
            ("config/c.yml", "#@ load('@ytt:data', 'data')\n---\np: #@ data.values.p\n"),
            ("values.yml", "p: SECRET\n"),
            (
                "tests/a_test.yml",
                "suite: s\ntests:\n- it: a\n  set: {p: SECRET, zz: SECRET}\n  asserts: [{equal: {path: p, value: x}}]\n",
            ),
        ],
    ),
    (
        "test fail various",
        "test",
        &[
            ("plumb.yml", "targets: {a: {file: [config], data-values-file: [values.yml]}}\n"),
            ("config/schema.yml", "#@data/values-schema\n---\np: \"\"\n"),
            ("config/c.yml", "#@ load('@ytt:data', 'data')\n---\np: #@ data.values.p\n"),
            ("values.yml", "p: SECRET\n"),
            (
                "tests/a_test.yml",
                "suite: s\ntests:\n- it: a\n  asserts: [{matchRegex: {path: p, pattern: '^q$'}}, {contains: {path: p, content: 1}}, {isNull: {path: p}}, {isType: {path: p, type: int}}, {lengthEqual: {path: p, count: 1}}, {notEqual: {path: p, value: SECRET}}, {isSubset: {path: p, content: {a: 1}}}, {isEmpty: {path: p}}, {exists: {path: 'p.q'}}, {notExists: {path: p}}]\n",
            ),
        ],
    ),
    (
        "test unknown keys",
        "test",
        &[
            ("c.yml", "a: 1\n"),
            (
                "tests/a_test.yml",
                "file: ../c.yml\nvalue: SECRET\ntests:\n- it: a\n  sett:\n    p: SECRET\n    q: [SECRET]\n  asserts:\n  - equals: {path: a, value: SECRET}\n",
            ),
        ],
    ),
    (
        "test syntax",
        "test",
        &[
            ("plumb.yml", "targets: {a: {file: [config], data-values-file: [values.yml]}}\n"),
            ("config/schema.yml", "#@data/values-schema\n---\np: \"\"\n"),
            ("config/c.yml", "#@ load('@ytt:data', 'data')\n---\np: #@ data.values.p\n"),
            ("values.yml", "p: SECRET\n"),
            ("tests/a_test.yml", "suite: s\ntests:\n- it: a\n  set: {p: SECRET\n"),
        ],
    ),
    (
        "test snapshot obsolete",
        "test",
        &[
            ("plumb.yml", "targets: {a: {file: [config], data-values-file: [values.yml]}}\n"),
            ("config/schema.yml", "#@data/values-schema\n---\np: \"\"\n"),
            ("config/c.yml", "#@ load('@ytt:data', 'data')\n---\np: #@ data.values.p\n"),
            ("values.yml", "p: SECRET\n"),
            (
                "tests/a_test.yml",
                "suite: s\ntests:\n- it: a\n  asserts: [{equal: {path: p, value: x}}]\n",
            ),
            ("tests/__snapshot__/a_test.yml.snap", "s / zz:\n  1:\n    p: SECRET\n"),
        ],
    ),
    (
        "test data values file",
        "test",
        &[
            ("plumb.yml", "targets: {a: {file: [config], data-values-file: [values.yml]}}\n"),
            ("config/schema.yml", "#@data/values-schema\n---\np: \"\"\n"),
            ("config/c.yml", "#@ load('@ytt:data', 'data')\n---\np: #@ data.values.p\n"),
            ("values.yml", "p: [SECRET]\n"),
            (
                "tests/a_test.yml",
                "suite: s\ntests:\n- it: a\n  asserts: [{equal: {path: p, value: x}}]\n",
            ),
        ],
    ),
    (
        "diff",
        "diff",
        &[
            (
                "plumb.yml",
                "targets: {a: {file: [config], data-values-file: [values.yml], output-files: out}}\n",
            ),
            ("config/schema.yml", "#@data/values-schema\n---\np: \"\"\n"),
            ("config/c.yml", "#@ load('@ytt:data', 'data')\n---\np: #@ data.values.p\n"),
            ("values.yml", "p: SECRET\n"),
            ("out/c.yml", "p: other\n"),
        ],
    ),
    ("report merge", "report merge r.json", &[("r.json", "{SECRET")]),
    (
        "krm",
        "krm l.yml",
        &[(
            "l.yml",
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig: {kind: Plumb, spec: {dataValues: {x: SECRET}, file: {schema.yml: \"#@data/values-schema\\n---\\nx: 0\\n\"}}}\nitems: []\n",
        )],
    ),
    (
        "kube",
        "-f a.yml --kube-schemas crds -v x=SECRET",
        &[
            (
                "a.yml",
                "#@ load('@ytt:data','data')\napiVersion: acme.example/v1\nkind: A\nmetadata: {name: a}\nspec: {x: #@ data.values.x\n}\n",
            ),
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            (
                "crds/a.yml",
                "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.acme.example}\nspec:\n  group: acme.example\n  names: {kind: A, plural: as}\n  scope: Namespaced\n  versions:\n  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {x: {type: integer}}}}}}}\n",
            ),
        ],
    ),
    ("fmt", "fmt a.yml", &[("a.yml", "a: [SECRET\n")]),
    (
        "text template",
        "-f schema.yml -f t.txt -v x=SECRET",
        &[
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            ("t.txt", "(@ load('@ytt:data','data') @)\nfoo (@= int(data.values.x) @) SECRETX\n"),
        ],
    ),
    ("missing space", "-f c.yml", &[("c.yml", "#@x = 1\na: SECRET #@y\n")]),
    (
        "load cycle",
        "-f .",
        &[
            ("a.star", "load('b.star','x')\nx='SECRET'\n"),
            ("b.star", "load('a.star','x')\ny='SECRET'\n"),
            ("c.yml", "#@ load('a.star','x')\na: 1\n"),
        ],
    ),
    (
        "depth",
        "-f schema.yml -f t.yml -v x=SECRET --depth-limit 10",
        &[
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            (
                "t.yml",
                "#@ load('@ytt:data','data')\n#@ def f(x): return f(x)\na: #@ f(data.values.x)\n",
            ),
        ],
    ),
    (
        "memory",
        "-f schema.yml -f t.yml -v x=SECRET --memory-limit 1",
        &[
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            (
                "t.yml",
                "#@ load('@ytt:data','data')\na: #@ [data.values.x * 100000 for i in range(100)]\n",
            ),
        ],
    ),
    (
        "a data value of a test, next to a wrong assertion",
        "test",
        &[
            ("c.yml", "a: 1\n"),
            (
                "tests/a_test.yml",
                "suite: s\nfile: ../c.yml\ntests:\n- {it: a, set: {p: SECRET}, asserts: 1}\n",
            ),
        ],
    ),
    (
        "a data value of a test, next to an unknown key",
        "test",
        &[
            ("c.yml", "a: 1\n"),
            (
                "tests/a_test.yml",
                "suite: s\nfile: ../c.yml\ntests:\n- {it: a, set: {p: SECRET}, nosuch: 1}\n",
            ),
        ],
    ),
    (
        "a data value of a test that fails",
        "test",
        &[
            ("c.yml", "a: 1\n"),
            (
                "tests/a_test.yml",
                "suite: s\nfile: ../c.yml\ntests:\n- {it: a, set: {p: SECRET}, asserts: [{equal: {path: a, value: 2}}]}\n",
            ),
        ],
    ),
    (
        "data values of a test in lines",
        "test",
        &[
            ("c.yml", "a: 1\n"),
            (
                "tests/a_test.yml",
                "suite: s\nfile: ../c.yml\ntests:\n- it: a\n  set:\n    p: SECRET\n  nosuch: 1\n",
            ),
        ],
    ),
];

const LOADS: &str = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:assert\",\"assert\")\n#@ load(\"@ytt:overlay\",\"overlay\")\n#@ load(\"@ytt:library\",\"library\")\n#@ load(\"@ytt:template\",\"template\")\n#@ load(\"@ytt:struct\",\"struct\")\n#@ load(\"@ytt:json\",\"json\")\n#@ load(\"@ytt:yaml\",\"yaml\")\n";

#[test]
fn values_in_other_places_are_masked() {
    let templates = TEMPLATES.iter().map(|(name, body)| {
        let files = vec![
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n".to_owned()),
            ("c.yml", format!("{LOADS}---\n{body}")),
        ];
        (*name, "-f schema.yml -f c.yml -v x=SECRET", files)
    });
    let runs = RUNS.iter().map(|(name, arguments, files)| {
        let files = files.iter().map(|(name, text)| (*name, (*text).to_owned()));
        (*name, *arguments, files.collect())
    });
    let mut differences = Vec::new();
    for (name, arguments, files) in templates.chain(runs) {
        let [first, second] = SAME_LENGTH
            .map(|secret| reports(&words(&arguments.replace("SECRET", secret)), &files, secret));
        for ((layout, first), (_, second)) in first.iter().zip(&second) {
            if first != second || first.contains(SAME_LENGTH[0]) {
                differences.push(format!("{name}, {layout}:\n{first}\n{second}"));
            }
        }
        if first.iter().all(|(_, report)| report.is_empty()) {
            differences.push(format!("{name}: nothing is reported"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn values_of_variables_are_masked() {
    let files = [("schema.yml", "#@data/values-schema\n---\nx: 1\n")];
    let check = |flag: &str, name: &str, value: &str| {
        let reports = SAME_LENGTH.map(|secret| {
            let sandbox = files
                .iter()
                .fold(Sandbox::new("variables"), |it, (name, text)| it.with(name, text));
            let arguments = ["-f", "schema.yml", flag, "PFX", "--report", "json=report.json"];
            let mut command = sandbox.command("plumb", &arguments);
            let output =
                command.env(name, value.replace("SECRET", secret)).output().expect("it runs");
            assert_eq!(output.status.code(), Some(1), "{flag} {value}");
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            let report = sandbox.read("report.json").unwrap_or_default();
            assert!(!(told.clone() + &report).contains(secret), "{flag} {value}: {told}{report}");
            told + &report
        });
        assert_eq!(reports[0], reports[1], "{flag} {value}");
    };
    check("--data-values-env", "PFX_x", "SECRET");
    check("--data-values-env", "PFX_zz", "SECRET");
    check("--data-values-env-yaml", "PFX_x", "[SECRET");
    check("--data-values-env-yaml", "PFX_x", "*SECRET");
    check("--data-values-env-yaml", "PFX_x", "{a: SECRET}");
}
