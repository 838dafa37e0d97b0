/* SPDX-License-Identifier: Apache-2.0 */
/* A folder with all that is in it, given up: what cannot be removed stays. */
#ifndef TREE_REMOVE_H
#define TREE_REMOVE_H

/* Links are removed, and what they lead to is not.  A PATH that is not there is nothing.
 */
void tree_remove(const char *path);

#endif
