/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a precise event's place belongs in its call chain.
 *
 * The recording has the chain, which begins at the interrupt, then <Skid>, then the place
 * of the event (collector/stack/stack.h).  Here the functions of both are known:
 *
 *	main … caller F G <Skid> F@place   becomes   main … caller F@place
 *	main … caller F G <Skid> H@place   stays
 *
 * The event belongs to the innermost frame of the chain in the same function.  It takes
 * the event's address and keeps its callers; its callees came later and are dropped.  If
 * the chain lacks the function, its caller is unknown, and <Skid> stays.
 *
 * A function needs a name or a known size.  In other code no functions are known: there
 * the chain's first frame takes the address if tables show both as one piece of code; any
 * other must have that very address: a call of the LBR's, the place where the kernel was
 * entered.
 */
#ifndef SKID_H
#define SKID_H

#include "model/model.h"

/* Moves the nodes of such places.  The source's frames must have functions. */
void skid_place(const struct model *model, struct source *source);

#endif
