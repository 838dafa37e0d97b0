# SPDX-License-Identifier: Apache-2.0
#
# Each library that the programs need, with the packages that bring it.

# RP_MISSING(LIBRARY, DEBIAN PACKAGE, FEDORA PACKAGE)
# Collects what is absent, so that one run of configure names all of it.
AC_DEFUN([RP_MISSING], [rp_missing="$rp_missing
  $1: apt-get install $2   (Debian, Ubuntu)
  $1: dnf install $3   (Fedora)"])

# RP_LIB(VARIABLE, PKG-CONFIG MODULE, DEBIAN PACKAGE, FEDORA PACKAGE)
AC_DEFUN([RP_LIB], [PKG_CHECK_MODULES([$1], [$2], [], [RP_MISSING([$2], [$3], [$4])])])

AC_DEFUN([RP_CHECK_LIBS], [
rp_missing=
RP_LIB([LIBELF], [libelf], [libelf-dev], [elfutils-libelf-devel])
RP_LIB([LIBDW], [libdw], [libdw-dev], [elfutils-devel])
RP_LIB([JSON_C], [json-c], [libjson-c-dev], [json-c-devel])
RP_LIB([ZSTD], [libzstd], [libzstd-dev], [libzstd-devel])
RP_LIB([ZLIB], [zlib], [zlib1g-dev], [zlib-devel])
RP_LIB([LZMA], [liblzma], [liblzma-dev], [xz-devel])
RP_LIB([CAPSTONE], [capstone], [libcapstone-dev], [capstone-devel])
RP_LIB([LIBEDIT], [libedit], [libedit-dev], [libedit-devel])

# libpfm4 has no pkg-config file.
PFM_LIBS=
rp_save_LIBS=$LIBS
AC_CHECK_HEADER([perfmon/pfmlib_perf_event.h],
  [AC_SEARCH_LIBS([pfm_get_os_event_encoding], [pfm],
    [AS_CASE([$ac_cv_search_pfm_get_os_event_encoding], [-l*],
      [PFM_LIBS=$ac_cv_search_pfm_get_os_event_encoding])],
    [RP_MISSING([libpfm4], [libpfm4-dev], [libpfm-devel])])],
  [RP_MISSING([libpfm4], [libpfm4-dev], [libpfm-devel])])
LIBS=$rp_save_LIBS
AC_SUBST([PFM_LIBS])

# In the C library by now, once in libraries of their own.
DL_LIBS=
PTHREAD_LIBS=
rp_save_LIBS=$LIBS
AC_SEARCH_LIBS([dlopen], [dl], [AS_CASE([$ac_cv_search_dlopen], [-l*], [DL_LIBS=-ldl])])
AC_SEARCH_LIBS([pthread_create], [pthread],
  [AS_CASE([$ac_cv_search_pthread_create], [-l*], [PTHREAD_LIBS=-lpthread])])
LIBS=$rp_save_LIBS
AC_SUBST([DL_LIBS])
AC_SUBST([PTHREAD_LIBS])

# libiberty, which demangles C++ and Rust, has none either, and on Fedora no header.
IBERTY_LIBS=
rp_save_LIBS=$LIBS
AC_SEARCH_LIBS([rust_demangle_callback], [iberty], [IBERTY_LIBS=-liberty],
  [RP_MISSING([libiberty], [libiberty-dev], [binutils-devel])])
LIBS=$rp_save_LIBS
AC_SUBST([IBERTY_LIBS])

# Optional: `er_print -export pprof`.
AC_PATH_PROG([PROTOC_C], [protoc-c])
PKG_CHECK_MODULES([PROTOBUF_C], [libprotobuf-c], [rp_pprof=yes], [rp_pprof=no])
AS_IF([test -z "$PROTOC_C"], [rp_pprof=no])
AM_CONDITIONAL([PPROF], [test "$rp_pprof" = yes])
AS_IF([test "$rp_pprof" = yes],
  [AC_DEFINE([HAVE_PPROF], [1], [Define to 1 where er_print exports pprof])],
  [AC_MSG_NOTICE([er_print will not export pprof: for that install protobuf-c
  apt-get install libprotobuf-c-dev protobuf-c-compiler   (Debian, Ubuntu)
  dnf install protobuf-c-devel protobuf-c-compiler   (Fedora)])])

# Optional: `er_print -export sqlite`.
PKG_CHECK_MODULES([SQLITE], [sqlite3 >= 3.31], [rp_sqlite=yes], [rp_sqlite=no])
AM_CONDITIONAL([SQLITE], [test "$rp_sqlite" = yes])
AS_IF([test "$rp_sqlite" = yes],
  [AC_DEFINE([HAVE_SQLITE], [1], [Define to 1 where er_print exports to SQLite])],
  [AC_MSG_NOTICE([er_print will not export to SQLite: for that install its library
  apt-get install libsqlite3-dev   (Debian, Ubuntu)
  dnf install sqlite-devel   (Fedora)])])

AS_IF([test -n "$rp_missing"],
  [AC_MSG_ERROR([these libraries are missing:$rp_missing
or run ./bootstrap, which installs them])])
])
