const ownBytes = /^data:image\/(?:png|jpeg|gif|webp);[\w;=+,/-]{1,262144}$/
/** Paths of the gateway that give pictures it has checked. Written out, because a browser reads `/\\elsewhere.example` as another site. */
const ownPath = /^\/(?:public\/getTokenImage|v1\/(?:nft-image|avatar))\/[\w.~%:-]+(?:\?[\w.~%=&-]*)?$/

/** A stranger's picture, where it is its own bytes or one that the gateway checked: nothing that would tell anybody who looks. */
export function safePicture(url: string | null | undefined): string | undefined {
  return url != null && (ownBytes.test(url) || ownPath.test(url)) ? url : undefined
}
