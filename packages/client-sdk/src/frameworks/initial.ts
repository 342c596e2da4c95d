import type { InitialState } from '../server/initial-state'
import type { Postern, Snapshot } from '../types/index'

export function initialSnapshot(postern: Postern, initialState: InitialState | undefined): Snapshot {
  return initialState === undefined ? postern.getSnapshot() : { ...postern.getServerSnapshot(), ...initialState }
}
