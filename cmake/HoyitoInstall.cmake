# What `cmake --install` puts where. The program needs nothing of it: variants and schema are built in.
include(GNUInstallDirs)

install(TARGETS hoyito)
if(TARGET manual)
  set(manual "${CMAKE_BINARY_DIR}/manual")
  install(DIRECTORY "${manual}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
          FILES_MATCHING PATTERN "*.1")
  install(FILES "${manual}/hoyito.bash" RENAME hoyito
          DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${manual}/_hoyito" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  install(FILES "${manual}/hoyito.fish"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()
install(FILES experiments/hoyito-experiment.schema.json
        DESTINATION "${CMAKE_INSTALL_DATADIR}/hoyito")
install(FILES README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY configs experiments DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples"
        FILES_MATCHING PATTERN "*.yaml" PATTERN "README.md" PATTERN "*.sbatch" PATTERN "*.schema.json")
install(DIRECTORY configs experiments DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples"
        FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                         WORLD_READ WORLD_EXECUTE
        FILES_MATCHING PATTERN "*.sh")
