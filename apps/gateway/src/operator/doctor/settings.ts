import path from 'node:path'
import { readRunning } from '../dev/running'
import { developmentProject, developmentSettings } from '../dev/settings'
import { type Finding, warning } from './finding'

type Environment = Readonly<Record<string, string | undefined>>

export type DoctorSettings = {
  readonly env: Environment
  /** Checked unless the operator names another. */
  readonly projectId?: string
  readonly findings: readonly Finding[]
}

/** Settings of the own environment, else of the `gateway dev` that runs in the folder. */
export async function doctorSettings(env: Environment, folder: string): Promise<DoctorSettings> {
  if ((env.MODAL_ORIGIN ?? '') !== '' || env.NODE_ENV === 'production') return { env, findings: [] }
  const running = await readRunning(env.POSTERN_DATA ?? path.join(folder, '.postern'))
  if (running === undefined) {
    const text =
      'MODAL_ORIGIN is not set, and no `gateway dev` runs in this folder, so the default is checked: run doctor with the gateway’s environment, or in the folder of `gateway dev`'
    return { env, findings: [warning('settings', text)] }
  }
  const { port, modalOrigin, walletOrigin } = running
  return {
    env: developmentSettings({ ...env, MODAL_ORIGIN: modalOrigin, WALLET_ORIGIN: walletOrigin }, port, folder),
    projectId: developmentProject.id,
    findings: [],
  }
}
