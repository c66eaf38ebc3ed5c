import { createPinia } from 'pinia'
import { createApp } from 'vue'
import { createClient, openTransport } from './lib/bridge/client.ts'
import { takeTabKey } from './lib/bridge/tab-key.ts'
import { clientKey } from './lib/bridge/use-client.ts'
import App from './App.vue'
import { createMessages, setLanguage } from './i18n/index.ts'
import { i18nKey } from './i18n/key.ts'
import { createPages } from './router.ts'
import { languageOf } from '../../shared/language.ts'
import { installTokens, servedAppearance } from './kit/appearance.ts'
import './kit/base.css'

takeTabKey()
installTokens()
const appearance = servedAppearance(document.documentElement)

// Connects to main while the first frame is drawn: the page never waits for it.
const client = createClient({ open: openTransport })
const i18n = createMessages()
const app = createApp(App)
app.provide(clientKey, client)
app.provide(i18nKey, i18n)
app.use(createPinia())
app.use(i18n)
const router = createPages()
// The first view is loaded after the frame is mounted: the links that load its chunks take a quarter of the time before that.
const { promise: mounted, resolve: onMounted } = Promise.withResolvers<void>()
// The quick window is empty until its view is there.
const endWait = location.hash.startsWith('#/quick') ? () => {} : router.beforeEach(() => mounted)
app.use(router)

await setLanguage(i18n, languageOf(appearance.language, navigator.language))
app.mount('#app')
performance.mark('lectern:mounted')
onMounted()
endWait()
