# Run by cpack on the files of the package: what Debian wants of them, and one time for all, so that the
# same sources give the same bytes. The time is SOURCE_DATE_EPOCH, else the date of the version.

set(share "${CPACK_TEMPORARY_DIRECTORY}/usr/share")
set(doc "${share}/doc/${CPACK_PACKAGE_NAME}")
set(ENV{LC_ALL} C)

if(DEFINED ENV{SOURCE_DATE_EPOCH})
  set(time "$ENV{SOURCE_DATE_EPOCH}")
else()
  execute_process(COMMAND date -u -d "${CPACK_HOYITO_DATE}" +%s
                  OUTPUT_VARIABLE time OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(ENV{SOURCE_DATE_EPOCH} "${time}")
endif()

execute_process(COMMAND "${CPACK_HOYITO_STRIP}" --remove-section=.comment --remove-section=.note
                "${CPACK_TEMPORARY_DIRECTORY}/usr/bin/hoyito" COMMAND_ERROR_IS_FATAL ANY)

# Debian's zsh looks there in the files of packages.
file(MAKE_DIRECTORY "${share}/zsh/vendor-completions")
file(RENAME "${share}/zsh/site-functions/_hoyito" "${share}/zsh/vendor-completions/_hoyito")
file(REMOVE_RECURSE "${share}/zsh/site-functions")

execute_process(COMMAND date -u -R -d "${CPACK_HOYITO_DATE}"
                OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(WRITE "${doc}/changelog"
"${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=low

  * Version ${CPACK_PACKAGE_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
configure_file("${CPACK_HOYITO_COPYRIGHT}" "${doc}/copyright" COPYONLY)

file(GLOB pages "${share}/man/man1/*.1")
execute_process(COMMAND gzip -9 -n ${pages} "${doc}/changelog" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND chmod -R u=rwX,go=rX "${CPACK_TEMPORARY_DIRECTORY}/usr"
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND find "${CPACK_TEMPORARY_DIRECTORY}" -exec touch -h -d "@${time}" "{}" +
                COMMAND_ERROR_IS_FATAL ANY)
