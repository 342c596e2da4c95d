/** Fixed size from the start; a neutral glyph until, or instead of, an image. */
import { useState } from 'react'
import { classNames } from './class-names'
import { type Icon, NetworkIcon, WalletIcon } from './icons'
import styles from './picture.module.css'

export type PictureProps = { readonly src: string | undefined; readonly size?: 'row' | 'hero' | 'small' | 'code' }

export function Picture({ src, size = 'row', round, fallback: Fallback }: PictureProps & PictureKind) {
  // The failed URL, so that a row reused for another wallet tries again.
  const [failed, setFailed] = useState<string | null>(null)
  const shown = src !== undefined && src !== failed
  return (
    <span className={classNames(styles.picture, styles[size], round && styles.round, !shown && styles.empty)}>
      {shown ? (
        <img
          className={styles.image}
          src={src}
          alt=""
          decoding="async"
          draggable={false}
          onError={() => setFailed(src)}
        />
      ) : (
        <Fallback small={size === 'small'} />
      )}
    </span>
  )
}

type PictureKind = { readonly round: boolean; readonly fallback: Icon }

export function WalletPicture(props: PictureProps) {
  return <Picture {...props} round={false} fallback={WalletIcon} />
}

export function NetworkPicture(props: PictureProps) {
  return <Picture {...props} round fallback={NetworkIcon} />
}
