import { engineNames, type EngineName } from '../../../../shared/service/engine-names.ts'
import { engineNotices, type EngineNotice } from '../../../../shared/service/engine-notices.ts'

/** As the replies say it, but where they use the wire's names of things that the page calls otherwise. */
const notices: Record<EngineNotice, string> = {
  ...engineNotices,
  silent: 'The recording is silent.',
  optionsUnused: 'This engine uses neither the context nor the words to listen for.',
  promptUnused: 'This engine does not use the context.',
  hotwordsUnused: 'This engine does not use the words to listen for.',
  promptLong: 'The context is longer than the recommended 8,000 characters.',
  fileName: 'The name of a file must have 1 to {most} characters.',
  fileEmpty: 'The file is empty.',
  fileLarge: 'The file must be at most {most} MB.',
  knowledgeFull: 'The knowledge bases of this computer are full.',
}
const names: Record<EngineName, string> = engineNames

/** What this computer says beside its answers, and by what it calls what made them (src/shared/service). */
export const engines = { engineNotices: notices, engineNames: names }
