import type { EngineName } from '../../../../shared/provider/engine-names.ts'
import { engineNotices } from '../../../../shared/provider/engine-notices.ts'

const names: Record<EngineName, string> = {
  none: 'none',
  noneHere: 'no on-device engine',
  calculator: 'on-device calculator',
  outlineReader: 'on-device outline reader',
  pagePainter: 'on-device slides',
  wordDrawing: 'on-device text image',
  rules: 'on-device rules',
  sentencePicker: 'on-device summary',
  functionNames: 'on-device function calls',
  assistants: 'on-device assistants',
  tasks: 'on-device tasks',
  files: 'on-device files',
  responses: 'on-device responses',
  voices: 'on-device voice samples',
  knowledge: 'on-device knowledge bases',
  encoderAndKnowledge: '{engine} · on-device knowledge bases',
  quotes: 'Library quotes · {engine}',
  quotesAttached: 'Library and attachment quotes · {engine}',
  pages: 'on-device PDF reader and OCR',
  textFiles: 'on-device file reader',
  speech: 'Moonshine tiny (English)',
  text: 'Universal Sentence Encoder lite (English)',
}

/** Notices and engine names of the on-device service (src/shared/provider). */
export const engines = { engineNotices, engineNames: names }
