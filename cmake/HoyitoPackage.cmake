# The Debian package: cpack -G DEB.
set(HOYITO_CONTACT "Hoyito maintainers <maintainers@hoyito.invalid>" CACHE STRING
    "Maintainer of the package")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${HOYITO_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "research simulator for the Hoyito family of mancala games")
set(CPACK_PACKAGE_DESCRIPTION
"Hoyito plays experiments with a family of mancala games, games of two rows
of holes without stores, and stores every game in one SQLite file: the same
games on every machine and with any number of threads. It answers from it
with numbers that carry their uncertainty: lengths, fairness, captures, the
effect of each rule, the strength of players. Small variants it solves
exactly, under random and under perfect play.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnuplot-nox, jq, sqlite3")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/package/Finish.cmake")
set(CPACK_HOYITO_STRIP "${CMAKE_STRIP}")
set(CPACK_HOYITO_DATE "${HOYITO_DATE}")
set(CPACK_HOYITO_COPYRIGHT "${CMAKE_CURRENT_LIST_DIR}/package/copyright")
include(CPack)
