{
  description = "Plumb renders configuration and validates it before anyone uses it";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "aarch64-darwin"
        "aarch64-linux"
        "x86_64-darwin"
        "x86_64-linux"
      ];
      for_each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      manifest = (nixpkgs.lib.importTOML ./Cargo.toml).workspace.package;
    in
    {
      packages = for_each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "plumb";
          inherit (manifest) version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          buildType = "release-lto";
          cargoBuildFlags = [
            "--package=plumb-cli"
            "--bin=plumb"
          ];
          # They need python3, git and consoles; `.ci/run` runs them.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          # One program under three names.
          postInstall = ''
            ln -s plumb $out/bin/ytt
            ln -s plumb $out/bin/jk
            installManPage docs/man/*.1
            for shell in bash zsh fish; do
              $out/bin/plumb completion $shell >plumb.$shell
              installShellCompletion plumb.$shell
            done
          '';
          meta = {
            description = "Renders configuration and validates it before anyone uses it";
            license = nixpkgs.lib.licenses.asl20;
            mainProgram = "plumb";
          };
        };
      });

      formatter = for_each (pkgs: pkgs.nixfmt);
    };
}
