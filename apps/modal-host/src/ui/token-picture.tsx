import { CoinIcon } from './icons-later'
import { Picture, type PictureProps } from './picture'

export function TokenPicture(props: PictureProps) {
  return <Picture {...props} round fallback={CoinIcon} />
}
