//! Files that are written whole or not at all: beside their place first, then moved to it. Another
//! process may read at the same time.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file. A fault leaves what was there before, but where only the file itself may be
/// written (a device, a folder that is closed).
pub fn write_whole(file: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let bytes = bytes.as_ref();
    // A link stays one: what it leads to is written.
    let place = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let before = fs::metadata(&place).ok();
    if before.as_ref().is_some_and(|before| !before.is_file()) {
        return fs::write(&place, bytes);
    }
    let folder =
        place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut beside = match beside(folder) {
        Ok(beside) => beside,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return fs::write(&place, bytes);
        }
        Err(error) => return Err(error),
    };
    beside.write_all(bytes)?;
    beside.as_file().sync_data()?;
    if let Some(before) = before {
        beside.as_file().set_permissions(before.permissions())?;
    }
    beside.persist(&place).map(|_| ()).map_err(|error| error.error)
}

/// Returns a file that goes with its handle, unless it is kept.
fn beside(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut how = tempfile::Builder::new();
    how.prefix(".bouton-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file: the process's mask is taken off.
        how.permissions(fs::Permissions::from_mode(0o666));
    }
    how.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::write_whole;
    use std::fs;

    #[test]
    fn a_file_is_whole_or_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        write_whole(&file, b"one").expect("written");
        write_whole(&file, b"two").expect("written");
        assert_eq!(fs::read(&file).expect("there"), b"two");
        // A folder stands where the file should.
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).expect("a folder");
        assert!(write_whole(&taken, b"three").is_err());
        assert!(write_whole(&folder.path().join("none/file"), b"four").is_err());
        let left: Vec<_> =
            fs::read_dir(folder.path()).expect("there").flatten().map(|e| e.file_name()).collect();
        assert_eq!(left.len(), 2, "{left:?}");
    }

    #[cfg(unix)]
    #[test]
    fn links_devices_and_permissions_stay() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        write_whole(&file, b"one").expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("changed");
        symlink(&file, &link).expect("linked");
        write_whole(&link, b"two").expect("written");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(fs::read(&file).expect("there"), b"two");
        assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o640);
        write_whole("/dev/null".as_ref(), b"three").expect("written");
        assert!(fs::metadata("/dev/null").expect("there").file_type().is_char_device());
    }
}
