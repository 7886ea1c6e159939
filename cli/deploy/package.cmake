# `cpack -G DEB`: a package for the Debian that it is built on. The same tree gives the same bytes
# with the same SOURCE_DATE_EPOCH and umask, which `make deb` sets.
set(CPACK_PACKAGE_NAME elmo)
set(CPACK_PACKAGE_VENDOR elmo)
if(NOT CPACK_PACKAGE_CONTACT)
  set(CPACK_PACKAGE_CONTACT "The maintainers of elmo <elmo@localhost>")
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "contextual word vectors from text (ELMo)")
set(CPACK_PACKAGE_DESCRIPTION
  "Runs an ELMo model (a biLM over characters) over raw text and writes the
activations of every layer, for every token, to HDF5 files. It ships with small
English and Korean models, and trains, fine-tunes and measures others.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# For the Python package elmo.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-h5py, python3-pandas, python3-sklearn, python3-torch")
# Python leaves compiled files there.
file(WRITE ${PROJECT_BINARY_DIR}/prerm
  "#!/bin/sh\nrm -rf /usr/lib/python3/dist-packages/elmo/__pycache__\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

include(CPack)
