import type { ThemeSource } from '../../page/theme'
import type { PosternError } from '../../shared/errors'
import { noop } from '../../shared/noop'
import type { AlertOptions } from './alert'

export type FailureAlertOptions = Pick<AlertOptions, 'document' | 'state' | 'onRetry'> & {
  readonly values: Readonly<Record<'origin' | 'host' | 'projectId', string>>
  readonly theme: Pick<ThemeSource, 'get' | 'mode'>
  readonly loadAlert: () => Promise<{ showAlert(options: AlertOptions): () => void }>
  /** False if another try began while the alert's code was loading. */
  readonly isFailed: () => boolean
}

export type FailureAlert = {
  show(error: PosternError, foreign?: string): Promise<void>
  close(): void
}

/** One alert at a time. */
export function createFailureAlert({ theme, loadAlert, isFailed, ...options }: FailureAlertOptions): FailureAlert {
  let close = noop
  return {
    async show(error, origin = options.values.origin) {
      const { showAlert } = await loadAlert()
      close()
      if (!isFailed()) return
      const values = { ...options.values, origin }
      close = showAlert({ ...options, error, values, mode: theme.mode(), theme: theme.get() })
    },
    close: () => close(),
  }
}
