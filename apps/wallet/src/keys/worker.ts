/** Only the page that started this dedicated worker can reach it. */
import { expose } from 'comlink'
import { signingWorker } from './signing-worker'

expose(signingWorker())
