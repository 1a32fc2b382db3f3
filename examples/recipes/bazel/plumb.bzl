"""Rules that build and test the targets of a plumb.yml.

The sandbox of Bazel contains only the declared inputs, so a target that reads anything else fails:
its output depends on nothing but `srcs`.
"""

def _plumb_build_impl(ctx):
    output = ctx.actions.declare_directory(ctx.label.name)
    project = ctx.file.project
    ctx.actions.run_shell(
        outputs = [output],
        inputs = ctx.files.srcs + [project],
        tools = [ctx.executable.plumb],
        arguments = [ctx.executable.plumb.path, project.dirname or ".", ctx.attr.target, ctx.attr.output, output.path],
        # The directory is relative to plumb.yml. Inputs are links into the source tree; Plumb does
        # not follow links that lead elsewhere, so it gets copies.
        command = """
set -e
plumb="$PWD/$1"
to="$PWD/$5"
work="$(mktemp -d)"
cp -RL "$2/." "$work"
cd "$work"
"$plumb" build -q "$3"
cp -R "$4/." "$to"
rm -rf "$work"
""",
        mnemonic = "PlumbBuild",
        progress_message = "Building target %s of %s" % (ctx.attr.target, project.short_path),
    )
    return [DefaultInfo(files = depset([output]))]

_ATTRIBUTES = {
    "srcs": attr.label_list(allow_files = True, doc = "Everything that the target reads."),
    "project": attr.label(allow_single_file = ["plumb.yml"], mandatory = True),
    "plumb": attr.label(
        default = "//:plumb",
        executable = True,
        allow_files = True,
        cfg = "exec",
        doc = "The program.",
    ),
}

plumb_build = rule(
    implementation = _plumb_build_impl,
    doc = "The output directory of one target.",
    attrs = dict(
        _ATTRIBUTES,
        target = attr.string(mandatory = True, doc = "The name of the target."),
        output = attr.string(mandatory = True, doc = "Its directory of output files in plumb.yml."),
    ),
)

def _plumb_test_impl(ctx):
    # Bazel tells a test which of the shards it is.
    script = """#!/bin/sh
set -e
if [ -n "$TEST_SHARD_STATUS_FILE" ]; then touch "$TEST_SHARD_STATUS_FILE"; fi
shard="$((${{TEST_SHARD_INDEX:-0}} + 1))/${{TEST_TOTAL_SHARDS:-1}}"
plumb="$PWD/{plumb}"
work="$TEST_TMPDIR/project"
mkdir -p "$work"
cp -RL "{directory}/." "$work"
cd "$work"
CI=true exec "$plumb" test --shard "$shard" --report pretty --report "junit=$XML_OUTPUT_FILE"
""".format(
        plumb = ctx.executable.plumb.short_path,
        directory = ctx.file.project.short_path.rpartition("/")[0] or ".",
    )
    # Named after the rule alone, it would hide a directory of that name among the inputs.
    executable = ctx.actions.declare_file(ctx.label.name + ".plumb_test.sh")
    ctx.actions.write(executable, script, is_executable = True)
    files = ctx.runfiles(files = ctx.files.srcs + [ctx.file.project, ctx.executable.plumb])
    return [DefaultInfo(executable = executable, runfiles = files)]

plumb_test = rule(
    implementation = _plumb_test_impl,
    doc = "The tests of a project. `shard_count` distributes them.",
    attrs = _ATTRIBUTES,
    test = True,
)
