/** A worker, so that the frame can answer the modal meanwhile. */
import { expose } from 'comlink'
import { solveChallenge } from './challenge'

const work = { solve: solveChallenge }
export type ChallengeWork = typeof work

expose(work)
