import { safePicture } from '@postern/ui/safe-picture'
import { PictureIcon } from '@postern/ui/view-icons'
import { useState } from 'react'
import styles from './nfts.module.css'

export function NftPicture({ url }: { readonly url: string | null }) {
  const src = safePicture(url)
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <span className={styles.picture}>
      {src === undefined || src === failed ? (
        <PictureIcon />
      ) : (
        <img
          className={styles.image}
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setFailed(src)}
        />
      )}
    </span>
  )
}
