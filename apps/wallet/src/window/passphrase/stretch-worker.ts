/** A worker, because stretching takes seconds and the window must stay responsive. */
import { expose } from 'comlink'
import { stretchPassphrase } from './argon2'

const work = { stretch: stretchPassphrase }
export type StretchWork = typeof work

expose(work)
