/** The dedicated worker. Only the page that started it can speak with it, which is why Comlink is right here (DESIGN §2). */
import { expose } from 'comlink'
import { signingWorker } from './signing-worker'

expose(signingWorker())
