import type { ReactNode } from 'react'
import { classNames } from '../class-names'
import { CloseIcon } from '../marks/icons'
import { CheckIcon } from '../marks/view-icons'
import styles from './progress.module.css'

export type Progress = 'running' | 'failed' | 'done' | 'resting'

/** The picture with a spinning ring, a cross, or a tick. */
export function ProgressPicture({ progress, children }: { readonly progress: Progress; readonly children: ReactNode }) {
  return (
    <span className={classNames(styles.progress, styles[progress])} aria-hidden="true">
      {progress === 'running' && (
        <svg className={styles.ring} viewBox="0 0 92 92" fill="none" aria-hidden="true">
          <rect className={styles.track} x="2" y="2" width="88" height="88" rx="28" pathLength="100" />
          <rect className={styles.runner} x="2" y="2" width="88" height="88" rx="28" pathLength="100" />
        </svg>
      )}
      {children}
      {progress === 'failed' && (
        <span className={styles.badge}>
          <CloseIcon small />
        </span>
      )}
      {progress === 'done' && (
        <span className={styles.badge}>
          <CheckIcon small className={styles.tick} />
        </span>
      )}
    </span>
  )
}
