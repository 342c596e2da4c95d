import { classNames } from '../class-names'
import { identiconImage } from './identicon'
import { Picture, type PictureProps } from './picture'
import styles from './picture.module.css'
import { CoinIcon } from './view-icons'

type TokenPictureProps = PictureProps & {
  /** Address or symbol: the same colours in every view. */
  readonly seed?: string
  /** Sanitized (`plainText`). */
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
