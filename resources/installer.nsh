; Offers Lectern in "Open with" for the files it opens (electron-builder.yml has the same list for macOS), and for lectern: links.
; It takes no file from the program that opens it now: electron-builder's own fileAssociations would.

!macro lecternEachFile ACTION
  !insertmacro ${ACTION} pdf
  !insertmacro ${ACTION} docx
  !insertmacro ${ACTION} pptx
  !insertmacro ${ACTION} xlsx
  !insertmacro ${ACTION} epub
  !insertmacro ${ACTION} md
  !insertmacro ${ACTION} wav
  !insertmacro ${ACTION} mp3
  !insertmacro ${ACTION} m4a
  !insertmacro ${ACTION} ogg
  !insertmacro ${ACTION} oga
  !insertmacro ${ACTION} opus
  !insertmacro ${ACTION} webm
  !insertmacro ${ACTION} flac
  !insertmacro ${ACTION} mp4
  !insertmacro ${ACTION} mov
!macroend

!macro lecternOffer EXT
  WriteRegStr SHELL_CONTEXT "Software\Classes\.${EXT}\OpenWithProgids" "Lectern.File" ""
!macroend

!macro lecternWithdraw EXT
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.${EXT}\OpenWithProgids" "Lectern.File"
!macroend

!macro lecternNotifyShell
  ; SHCNE_ASSOCCHANGED
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\Lectern.File" "" "Lectern"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Lectern.File\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Lectern.File\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  !insertmacro lecternEachFile lecternOffer
  WriteRegStr SHELL_CONTEXT "Software\Classes\lectern" "" "URL:Lectern"
  WriteRegStr SHELL_CONTEXT "Software\Classes\lectern" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\lectern\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  !insertmacro lecternNotifyShell
!macroend

!macro customUnInstall
  !insertmacro lecternEachFile lecternWithdraw
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Lectern.File"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\lectern"
  !insertmacro lecternNotifyShell
!macroend
