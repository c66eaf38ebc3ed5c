import { archive } from './archive.ts'
import type { Messages } from '../messages.ts'
import { playground } from './playground.ts'
import { cloning } from './cloning.ts'
import { capture } from './capture.ts'
import { chatAnswer } from './chatAnswer.ts'
import { chatCompose } from './chatCompose.ts'
import { chatList } from './chatList.ts'
import { chatExport } from './chatExport.ts'
import { chatSources } from './chatSources.ts'
import { chatThread } from './chatThread.ts'
import { document } from './document.ts'
import { documentExport } from './documentExport.ts'
import { documentFind } from './documentFind.ts'
import { documentParse } from './documentParse.ts'
import { documents } from './documents.ts'
import { documentVersions } from './documentVersions.ts'
import { embeddings } from './embeddings.ts'
import { engines } from './engines.ts'
import { errors } from './errors.ts'
import { sendTo } from './sendTo.ts'
import { highlights } from './highlights.ts'
import { knowledge } from './knowledge.ts'
import { remoteItems } from './remoteItems.ts'
import { knowledgeAdd } from './knowledgeAdd.ts'
import { meetingSide } from './meetingSide.ts'
import { meeting } from './meeting.ts'
import { exporting } from './export.ts'
import { rerank } from './rerank.ts'
import { semantic } from './semantic.ts'
import { retrieval } from './retrieval.ts'
import { selfTest } from './selfTest.ts'
import { settings } from './settings.ts'
import { saving } from './saving.ts'
import { shell } from './shell.ts'
import { speech } from './speech.ts'
import { slides } from './slides.ts'
import { summary } from './summary.ts'
import { texts } from './texts.ts'
import { things } from './things.ts'
import { tasks } from './tasks.ts'
import { transcript } from './transcript.ts'
import { updates } from './updates.ts'
import { voices } from './voices.ts'
import { work } from './work.ts'

/** Every Chinese sentence of the page. */
export const zh: Messages = {
  ...saving,
  ...shell,
  ...work,
  ...archive,
  ...playground,
  ...embeddings,
  ...rerank,
  ...texts,
  ...semantic,
  ...highlights,
  ...retrieval,
  ...selfTest,
  ...settings,
  ...updates,
  ...errors,
  ...capture,
  ...chatList,
  ...chatExport,
  ...chatCompose,
  ...chatAnswer,
  ...chatThread,
  ...chatSources,
  ...document,
  ...documents,
  ...documentExport,
  ...documentFind,
  ...documentParse,
  ...documentVersions,
  ...engines,
  ...sendTo,
  ...knowledge,
  ...remoteItems,
  ...slides,
  ...knowledgeAdd,
  ...tasks,
  ...exporting,
  ...summary,
  ...meeting,
  ...meetingSide,
  ...transcript,
  ...voices,
  ...cloning,
  ...speech,
  things,
}
