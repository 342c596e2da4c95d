import { initialStateFrom } from '@postern/client/server'
import { posternPlugin } from '@postern/client/vue'

const options = { projectId: 'dev', host: 'http://127.0.0.1:4400', networks: ['ethereum', 'base'] }

export default defineNuxtPlugin(({ vueApp }) => {
  // The server renders the account of the last visit, and the browser hydrates the same.
  const cookie = import.meta.server ? useRequestHeaders(['cookie']).cookie : document.cookie
  vueApp.use(posternPlugin, { options, initialState: initialStateFrom('dev', cookie) })
})
