const ownBytes = /^data:image\/(?:png|jpeg|gif|webp);[\w;=+,/-]{1,262144}$/
/** Checked images of this origin. Strict: browsers read `/\\elsewhere.example` as another site. */
const ownPath = /^\/(?:public\/getTokenImage|v1\/(?:nft-image|avatar))\/[\w.~%:-]+(?:\?[\w.~%=&-]*)?$/

/** Only data URIs and checked gateway images: showing one tells no third party. */
export function safePicture(url: string | null | undefined): string | undefined {
  return url != null && (ownBytes.test(url) || ownPath.test(url)) ? url : undefined
}
