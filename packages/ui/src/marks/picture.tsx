/** A picture of a fixed size. A glyph replaces a missing image, and a slow one until it loads. */
import { useEffect, useRef, useState } from 'react'
import { classNames } from '../class-names'
import { type Icon, NetworkIcon, WalletIcon } from './icons'
import styles from './picture.module.css'

/** In ms, until the glyph shows (spec §9). */
export const preloadTimeoutMs = 2_000

export type PictureProps = { readonly src: string | undefined; readonly size?: 'row' | 'hero' | 'small' | 'code' }

export function Picture({ src, size = 'row', round, fallback: Fallback }: PictureProps & PictureKind) {
  // The URL that failed. A row reused for another wallet tries again.
  const [failed, setFailed] = useState<string | null>(null)
  const [late, setLate] = useState<string | null>(null)
  const image = useRef<HTMLImageElement>(null)
  const loaded = useRef<string | null>(null)
  const isShown = src !== undefined && src !== failed
  const isLate = isShown && src === late

  useEffect(() => {
    if (!isShown || image.current?.complete === true) return
    const timer = setTimeout(() => {
      if (loaded.current !== src) setLate(src)
    }, preloadTimeoutMs)
    return () => clearTimeout(timer)
  }, [isShown, src])

  return (
    <span
      className={classNames(styles.picture, styles[size], round && styles.round, (!isShown || isLate) && styles.empty)}
    >
      {isShown && (
        <img
          ref={image}
          className={styles.image}
          src={src}
          alt=""
          decoding="async"
          draggable={false}
          hidden={isLate}
          onLoad={() => {
            loaded.current = src
            setLate(null)
          }}
          onError={() => setFailed(src)}
        />
      )}
      {(!isShown || isLate) && <Fallback small={size === 'small'} />}
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
