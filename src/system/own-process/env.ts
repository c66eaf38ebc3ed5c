/** Variables that a user gives secrets in. Programs that read other people's files get none of them. */
const secrets: ReadonlySet<string> = new Set(['LECTERN_KEY', 'LECTERN_PDF_PASSWORD'])

type Environment = Readonly<Record<string, string | undefined>>

/** The environment for a process of our own. Windows does not tell the case of names apart. */
export const withoutSecrets = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && !secrets.has(entry[0].toUpperCase()),
    ),
  )
