#!/usr/bin/env bash
# Prints a Homebrew formula for the archives of a version in a folder.
set -euo pipefail
version=${1:?usage: packaging/formula.sh VERSION OWNER/REPOSITORY FOLDER}
repository=${2:?}
folder=${3:?}
place=https://github.com/$repository
for target in {x86_64,aarch64}-{apple-darwin,unknown-linux-musl}; do
    if [ ! -f "$folder/bouton-$version-$target.tar.gz" ]; then
        echo "$folder holds no archive of $version for $target" >&2
        exit 1
    fi
done
block() { # TARGET
    local file=bouton-$version-$1.tar.gz
    printf '      url "%s/releases/download/v%s/%s"\n' "$place" "$version" "$file"
    printf '      sha256 "%s"\n' "$(sha256sum "$folder/$file" | cut -d' ' -f1)"
}
cat <<RUBY
class Bouton < Formula
  desc "Workbench for take-away games: tables, closed forms, proofs with certificates"
  homepage "$place"
  version "$version"
  license all_of: ["OFL-1.1", any_of: ["MIT", "Apache-2.0"]]

  on_macos do
    on_arm do
$(block aarch64-apple-darwin)
    end
    on_intel do
$(block x86_64-apple-darwin)
    end
  end

  on_linux do
    on_arm do
$(block aarch64-unknown-linux-musl)
    end
    on_intel do
$(block x86_64-unknown-linux-musl)
    end
  end

  def install
    bin.install "bouton"
    man1.install "bouton.1" if File.exist?("bouton.1")
  end

  test do
    assert_match "P", shell_output("#{bin}/bouton solve nim 1,2,3")
  end
end
RUBY
