import { classNames } from './class-names'
import { CoinIcon } from './icons-later'
import { identiconImage } from './identicon'
import { Picture, type PictureProps } from './picture'
import styles from './picture.module.css'

type TokenPictureProps = PictureProps & {
  /** Its plain address, or its symbol where it has none: one without a picture has colours of its own then, the same in every view. */
  readonly seed?: string
  /** Its first letter stands on the colours. Harmless already (`plainText`). */
  readonly symbol?: string
}

export function TokenPicture({ seed, symbol = '', size = 'row', ...props }: TokenPictureProps) {
  if (props.src === undefined && seed !== undefined)
    return (
      <span
        className={classNames(styles.seeded, styles[size])}
        style={{ backgroundImage: identiconImage(seed) }}
        data-letter={[...symbol][0]?.toUpperCase()}
        aria-hidden="true"
      />
    )
  return <Picture {...props} size={size} round fallback={CoinIcon} />
}
