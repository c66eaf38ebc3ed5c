/** Purpose of a predefined assistant; the key of its localized name. */
export type AssistantPurpose =
  | 'chat'
  | 'data'
  | 'flowcharts'
  | 'mindMaps'
  | 'prompts'
  | 'drawing'
  | 'webSearch'
  | 'slides'
  | 'papers'
  | 'programming'
  | 'fiction'
  | 'grammar'

/** The assistants every account has (service-notes 8), in the order of the API reference. */
export const predefinedAssistants: readonly {
  readonly id: string
  readonly purpose: AssistantPurpose
}[] = [
  { id: '65940acff94777010aa6b796', purpose: 'chat' },
  { id: '65a265419d72d299a9230616', purpose: 'data' },
  { id: '664dd7bd5bb3a13ba0f81668', purpose: 'flowcharts' },
  { id: '664e0cade018d633146de0d2', purpose: 'mindMaps' },
  { id: '6654898292788e88ce9e7f4c', purpose: 'prompts' },
  { id: '66437ef3d920bdc5c60f338e', purpose: 'drawing' },
  { id: '659e54b1b8006379b4b2abd6', purpose: 'webSearch' },
  { id: '65d2f07bb2c10188f885bd89', purpose: 'slides' },
  { id: '663058948bb259b7e8a22730', purpose: 'papers' },
  { id: '65a393b3619c6f13586246cd', purpose: 'programming' },
  { id: '65b356af6924a59d52832e54', purpose: 'fiction' },
  { id: '668fdd45405f2e3c9f71f832', purpose: 'grammar' },
]

/** Purposes that This computer cannot serve: its assistants for them only search the Library, or draw the question. */
export const purposesNotOnDevice: ReadonlySet<AssistantPurpose> = new Set<AssistantPurpose>([
  'drawing',
  'webSearch',
  'programming',
  'fiction',
])

/** The default assistant: the first (service-notes 8). */
export const defaultAssistantId = '65940acff94777010aa6b796'
