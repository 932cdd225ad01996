//! Replacing a small file so that a kill leaves the old one or the new one, whole.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::file::error::FileHomeError;

/// `path` with more text at its end.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Writes a file beside the old one, syncs it, puts it in its place and syncs the folder.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileHomeError> {
    let fresh = beside(path, ".tmp");
    let written = File::create(&fresh).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    if let Err(error) = written {
        // On a full disk the rest of it would take the room that is wanted.
        let _ = fs::remove_file(&fresh);
        return Err(FileHomeError::io("write", &fresh)(error));
    }
    fs::rename(&fresh, path).map_err(FileHomeError::io("replace", path))?;
    sync_folder_of(path)
}

/// The folder of a file; the working directory for a bare name.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the names in a file's folder durable.
pub(super) fn sync_folder_of(path: &Path) -> Result<(), FileHomeError> {
    let folder = folder_of(path);
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(FileHomeError::io("sync", folder))
}

/// Makes the folder of a file and those above it.
pub(super) fn create_folder_of(path: &Path) -> Result<(), FileHomeError> {
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(FileHomeError::io("create", folder))
}
