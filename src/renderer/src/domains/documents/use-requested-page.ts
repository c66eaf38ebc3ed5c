import { nextTick, onMounted, watch } from 'vue'
import { useRoute } from 'vue-router'
import { useDocument } from './documents-store.ts'

/** Goes once to the page of an answer's source named in the URL, after the last reading position was restored. */
export function useRequestedPage(go: (page: number) => void): void {
  const route = useRoute()
  const document = useDocument()
  const requestKey = (): string =>
    `${document.document?.id ?? ''} ${String(route.query['page'] ?? '')}`
  let gone = ''

  async function goThere(): Promise<void> {
    const wanted = requestKey()
    const page = Number(wanted.slice(wanted.indexOf(' ')))
    if (wanted === gone || !Number.isSafeInteger(page) || page < 1) return
    await nextTick()
    if (wanted !== requestKey()) return
    gone = wanted
    go(page)
  }
  onMounted(goThere)
  watch(requestKey, goThere)
}
