import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { removal } from '../../../system/file-moves.ts'

/** Argument of a launch by the system: without a window, in the tray. */
export const hiddenStart = '--hidden'

/** The autostart file of a Linux desktop (Desktop Application Autostart Specification). */
interface AutostartFile {
  exists(): boolean
  write(program: string): void
  remove(): void
}

/** Returns the file below `$XDG_CONFIG_HOME/autostart`, or `~/.config/autostart`. */
export function autostartFile(
  env: Readonly<Record<string, string | undefined>>,
  userHome: string,
): AutostartFile {
  const config = env['XDG_CONFIG_HOME']
  const folder = config?.startsWith('/') ? config : join(userHome, '.config')
  const path = join(folder, 'autostart', 'app.lectern.desktop.desktop')
  return {
    exists() {
      try {
        // A file disabled in the desktop's own settings stays and contains a marker.
        return !/^(Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(readFileSync(path, 'utf8'))
      } catch {
        return false
      }
    },
    write(program) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, autostartEntry(program), { mode: 0o644 })
    },
    remove: () => rmSync(path, removal),
  }
}

/** Returns a desktop entry that starts a program. Throws for a path that an entry cannot contain. */
export function autostartEntry(program: string): string {
  // Control characters would end the line and begin another key.
  if (/\p{Cc}/u.test(program)) throw new Error('The path of the program has a control character')
  // Quoted per the specification: reserved characters get a backslash, which the file's strings double; % is doubled.
  const quoted = program
    .replaceAll(/(["`$\\])/g, '\\$1')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
  return `[Desktop Entry]
Type=Application
Name=Lectern
Exec="${quoted}" ${hiddenStart}
Icon=app.lectern.desktop
Terminal=false
X-GNOME-Autostart-enabled=true
`
}
