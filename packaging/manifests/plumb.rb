(@ load("@ytt:data", "data") -@)
(@ def archives(system):
  found = []
  for it in data.values.archives:
    if system in it.target:
      found.append(it)
    end
  end
  return found
end -@)
# A formula of Homebrew. Written by `cargo xtask dist manifests`.
class Plumb < Formula
  desc "Renders configuration and validates it before anyone uses it"
  homepage "(@= data.values.url.split("/releases/")[0] @)"
  version "(@= data.values.version @)"
  license "Apache-2.0"
(@- for os, system in [("macos", "apple-darwin"), ("linux", "linux-gnu")]: @)
(@- if archives(system): @)

  on_(@= os @) do
(@- for it in archives(system): @)
    on_(@= "arm" if it.target.startswith("aarch64") else "intel" @) do
      url "(@= data.values.url @)/(@= it.file @)"
      sha256 "(@= it.sha256 @)"
    end
(@- end @)
  end
(@- end @)
(@- end @)

  conflicts_with "ytt", because: "both install a program `ytt`"

  def install
    bin.install Dir["bin/*"]
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/plumb"
    zsh_completion.install "share/zsh/site-functions/_plumb"
    fish_completion.install "share/fish/vendor_completions.d/plumb.fish"
    doc.install Dir["share/doc/plumb/*"]
  end

  test do
    (testpath/"hello.yml").write "greeting: #@ \"Hello, \" + \"world\"\n"
    assert_equal "greeting: Hello, world\n", shell_output("#{bin}/plumb -f hello.yml")
    assert_equal "greeting: Hello, world\n", shell_output("#{bin}/ytt -f hello.yml")
  end
end
